"""Commands (`/秘书 …`) and plain requests to the desk: parsed, allowed, carried out."""
