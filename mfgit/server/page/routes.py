"""Every route of the page, in one list."""

from mfgit.server.page import browsing, deciding, entering, numbers, previewing, scanning, trying

routers = [*(part.router for part in (browsing, deciding, previewing, scanning, trying, numbers, entering)), entering.front]
