package org.svcmailbox.cli;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the first messages of a topic without receiving them. */
@Command(
    name = "peek",
    description = "Prints the first ready messages, without a lease and without an attempt spent.")
final class PeekCommand extends CliCommand {
  private static final int MAX = 100;

  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Option(
      names = "-n",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "How many, up to 100; by default 10.")
  private int number = 10;

  @Option(names = "--shard", paramLabel = "NUMBER", description = "Of this shard only.")
  private @Nullable Integer shard;

  @Override
  ExitCode run(JsonOutput out) {
    if (number > MAX) {
      throw new UsageException("-n is at most " + MAX);
    }
    try (HttpService calls = service.service(surroundings())) {
      PathQuery query =
          new PathQuery("/v1/topics/" + topic + "/peek").with("limit", number).with("shard", shard);
      calls.get(query.toString()).path("messages").forEach(out::line);
    }
    return ExitCode.DONE;
  }
}
