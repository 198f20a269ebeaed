package org.svcmailbox.worker.command;

import org.svcmailbox.outbox.admin.OutboxAdmin.Operator;
import picocli.CommandLine.Option;

/** The person who makes a change, for the audit. */
final class OperatorOptions {
  @Option(
      names = "--note",
      required = true,
      paramLabel = "TEXT",
      description = "Why; kept in outbox_audit.")
  private String note = "";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "Who; by default the user of this process.")
  private String name = "";

  Operator operator() {
    return new Operator(name, note);
  }
}
