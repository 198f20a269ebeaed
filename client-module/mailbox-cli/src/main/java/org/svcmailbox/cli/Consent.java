package org.svcmailbox.cli;

import picocli.CommandLine.Option;

/** The option of commands that ask before an irreversible change. */
final class Consent {
  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  /** Asks, unless the option already gave the answer. */
  boolean isGiven(Console console, String question) {
    return yes || console.confirms(question);
  }
}
