"""The only package that imports the CAD kernel (OCP)."""
