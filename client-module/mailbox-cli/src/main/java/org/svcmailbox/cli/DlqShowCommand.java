package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints one dead letter with all its details. */
@Command(name = "show", description = "Prints a dead letter with its payload and its history.")
final class DlqShowCommand extends CliCommand {
  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Parameters(index = "1", paramLabel = "MSG_ID", converter = Values.MessageId.class)
  private String messageId;

  @Override
  ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings())) {
      out.line(calls.get("/v1/dlq/" + topic + "/" + messageId));
    }
    return ExitCode.DONE;
  }
}
