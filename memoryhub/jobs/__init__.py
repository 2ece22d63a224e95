"""Background work: the ledger, what runs in it, and when."""
