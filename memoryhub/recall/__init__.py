"""The read path: ask, look along each leg, rank, assemble, trace. It reads what writing made and knows nothing of it."""
