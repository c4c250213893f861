"""The archive and the knowledge as tools, resources and a prompt for agents, over the Model Context Protocol."""
