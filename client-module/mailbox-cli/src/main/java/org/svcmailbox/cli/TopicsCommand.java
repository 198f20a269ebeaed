package org.svcmailbox.cli;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints topics with their settings and counts. */
@Command(name = "topics", description = "Prints topics with their settings and counts.")
final class TopicsCommand extends CliCommand {
  private static final int PAGE = 1000;

  @Mixin private ServiceOptions service;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TOPIC",
      converter = Values.Topic.class,
      description = "One topic; by default all, in the order of their names.")
  private @Nullable String topic;

  @Override
  ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings())) {
      if (topic != null) {
        out.line(TopicShape.of(calls.get("/v1/topics/" + topic)));
      } else {
        new PathQuery("/v1/topics").writeAll(calls, "topics", Integer.MAX_VALUE, PAGE, out);
      }
    }
    return ExitCode.DONE;
  }
}
