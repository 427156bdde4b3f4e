"""Agent interface: specification, frames, dispatch, registry, isolation of callbacks."""
