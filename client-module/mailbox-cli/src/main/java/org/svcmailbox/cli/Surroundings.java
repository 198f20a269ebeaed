package org.svcmailbox.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * The streams and variables that a run of the command line has.
 *
 * @param in standard input
 * @param out standard output, unbuffered; failures to write are reported
 * @param err the error stream
 * @param environment the environment variables
 * @param asks whether a person can answer at {@code in}
 * @param shows whether a person watches {@code err}
 */
public record Surroundings(
    InputStream in,
    OutputStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean asks,
    boolean shows) {

  /** The prefixes of the variables; the first one takes precedence. */
  static final List<String> PREFIXES = List.of("MAILBOX_", "SVCMAILBOX_");

  /** A variable; empty if it is unset or empty. */
  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /** The first variable with this name after a prefix that is not empty; empty if there is none. */
  String prefixed(String name) {
    return PREFIXES.stream()
        .map(prefix -> variable(prefix + name))
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }
}
