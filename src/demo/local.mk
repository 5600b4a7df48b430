# bellhop-demo-agent: a small agent-like program for the demo and the tests.
