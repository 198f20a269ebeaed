package org.svcmailbox.cli;

import picocli.CommandLine.Option;

/** The option of commands that ask before they change something for good. */
final class Consent {
  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  /** Asks, unless the answer was given. */
  boolean isGiven(Console console, String question) {
    return yes || console.confirms(question);
  }
}
