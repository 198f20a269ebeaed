package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints groups of dead letters with the same cause. */
@Command(
    name = "groups",
    description = "Prints groups of dead letters with the same reason and error, largest first.")
final class DlqGroupsCommand extends CliCommand {
  @Mixin private ServiceOptions service;
  @Mixin private LetterFilterOptions filter;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Override
  ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings())) {
      String path = filter.addTo(new PathQuery("/v1/dlq/" + topic + "/groups")).toString();
      calls.get(path).path("groups").forEach(out::line);
    }
    return ExitCode.DONE;
  }
}
