package org.svcmailbox.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * The streams and variables that a run of the command line has.
 *
 * @param in standard input
 * @param out standard output, unbuffered; its failures are noticed
 * @param err the error stream
 * @param environment the environment variables
 * @param asks whether a person answers at {@code in}
 * @param shows whether a person looks at {@code err}
 */
public record Surroundings(
    InputStream in,
    OutputStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean asks,
    boolean shows) {

  /** A variable; empty if it is unset or empty. */
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }
}
