"""Pull and merge requests on hosting services: one form for GitHub, GitLab and Gitea or Forgejo, one module each."""
