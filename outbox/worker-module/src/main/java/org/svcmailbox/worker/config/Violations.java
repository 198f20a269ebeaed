package org.svcmailbox.worker.config;

import java.util.ArrayList;
import java.util.List;

/** Collects everything that is wrong with the settings. */
final class Violations {
  private final List<String> found = new ArrayList<>();

  void add(String where, String what) {
    found.add(where + " " + what);
  }

  void require(boolean holds, String where, String what) {
    if (!holds) {
      add(where, what);
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** Throws if there are any violations. */
  void check() {
    if (!found.isEmpty()) {
      throw new ConfigException(found);
    }
  }
}
