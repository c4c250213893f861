"""The rules of a decision: what may be adopted, and what undoing takes out again. Pure; `project` brings the facts."""
