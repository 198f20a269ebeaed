package org.svcmailbox.core.settings;

import java.util.List;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;

/** Invalid settings: every violation, each with its key. */
public final class SettingsException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> violations;

  public SettingsException(List<String> violations) {
    super(Problem.E_INTERNAL, "Refused settings: " + String.join("; ", violations));
    this.violations = List.copyOf(violations);
  }

  public List<String> violations() {
    return violations;
  }
}
