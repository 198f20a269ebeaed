package org.svcmailbox.cli;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--match",
      paramLabel = "PART",
      description = "Topics whose names have this part, in upper or lower case.")
  private @Nullable String part;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      description =
          "By name, letters, ready, oldest, inflight, saturation or sent: all but name begin with"
              + " the greatest, and print up to 1000 topics.")
  private @Nullable String sort;

  @Option(
      names = "-n",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "At most so many; by default all.")
  private int number = Integer.MAX_VALUE;

  @Override
  ExitCode run(JsonOutput out) {
    if (topic != null && (part != null || sort != null || number != Integer.MAX_VALUE)) {
      throw new UsageException("one topic goes without --match, --sort and -n");
    }
    try (HttpService calls = service.service(surroundings())) {
      if (topic != null) {
        out.line(TopicShape.of(calls.get("/v1/topics/" + topic)));
      } else {
        PathQuery query = new PathQuery("/v1/topics").with("q", part).with("sort", sort);
        query.writeAll(calls, "topics", number, PAGE, out);
      }
    }
    return ExitCode.DONE;
  }
}
