"""Every route of the page, in one list."""

from mfgit.server.page import browsing, deciding, entering, numbers, scanning, trying

routers = [part.router for part in (browsing, deciding, scanning, trying, numbers, entering)]
