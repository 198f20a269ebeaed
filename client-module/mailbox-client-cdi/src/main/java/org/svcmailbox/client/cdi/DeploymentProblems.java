package org.svcmailbox.client.cdi;

import java.util.LinkedHashSet;
import java.util.Set;

/** All problems of a deployment, collected for one report. */
final class DeploymentProblems {
  private final Set<String> found = new LinkedHashSet<>();

  /**
   * Adds a problem.
   *
   * @param subject a method, an injection point or a key
   * @param problem what is wrong with it
   */
  void add(String subject, String problem) {
    found.add(subject + ": " + problem);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** All problems, one per line. */
  String report() {
    return "problems with mailboxes: " + found.size() + "\n  " + String.join("\n  ", found);
  }
}
