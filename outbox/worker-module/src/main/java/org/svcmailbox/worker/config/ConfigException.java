package org.svcmailbox.worker.config;

import java.util.List;

/** The settings cannot be used. The message never contains a secret. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> violations;

  ConfigException(List<String> violations) {
    super("INVALID_CONFIG:\n  " + String.join("\n  ", violations));
    this.violations = List.copyOf(violations);
  }

  /** Each violation with its setting's name, in the order of the files. */
  public List<String> violations() {
    return violations;
  }
}
