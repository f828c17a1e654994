"""Pictures of parts without a graphics card: a z-buffer in numba, cameras, PNG and GIF."""
