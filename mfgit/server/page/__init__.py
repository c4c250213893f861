"""The page for reviewers at `/memoryforge`: made on the server, in English and Chinese, whole without scripts."""
