package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints dead letters without their payloads. */
@Command(name = "list", description = "Prints dead letters without payloads, newest first.")
final class DlqListCommand extends CliCommand {
  private static final int PAGE = 100;

  @Mixin private ServiceOptions service;
  @Mixin private LetterFilterOptions filter;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Option(
      names = "-n",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "How many, at most; by default all.")
  private int number = Integer.MAX_VALUE;

  @Override
  ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings())) {
      filter.addTo(new PathQuery("/v1/dlq/" + topic)).writeAll(calls, "letters", number, PAGE, out);
    }
    return ExitCode.DONE;
  }
}
