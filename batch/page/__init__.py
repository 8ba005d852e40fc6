"""The report of a batch folder: one page that needs nothing but itself."""

from batch.page.document import REPORT_FILE, write_page

__all__ = ["REPORT_FILE", "write_page"]
