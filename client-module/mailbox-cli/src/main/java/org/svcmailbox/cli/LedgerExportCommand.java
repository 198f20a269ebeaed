package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the entries of a shard's ledger. */
@Command(
    name = "export",
    description = "Prints the entries of a shard's ledger, as verify ledger reads them.")
final class LedgerExportCommand extends CliCommand {
  private static final int PAGE = 1000;

  @Mixin private ServiceOptions service;

  @Parameters(index = "0", paramLabel = "TOPIC", converter = Values.Topic.class)
  private String topic;

  @Option(
      names = "--shard",
      paramLabel = "NUMBER",
      required = true,
      description = "The shard, from 0; topics prints how many there are.")
  private int shard;

  @Option(
      names = "--from",
      paramLabel = "SEQ",
      description = "The first entry; by default the first that is kept.")
  private long from = 1;

  @Override
  ExitCode run(JsonOutput out) {
    try (HttpService calls = service.service(surroundings());
        Progress progress = console().progress("export", -1, "entries")) {
      long next = from;
      int count;
      do {
        JsonNode entries = page(calls, next).path("entries");
        count = entries.size();
        entries.forEach(out::line);
        next = count == 0 ? next : entries.get(count - 1).path("seq").asLong() + 1;
        progress.to(next - from);
      } while (count == PAGE);
    }
    return ExitCode.DONE;
  }

  private JsonNode page(HttpService calls, long first) {
    return calls.get(
        new PathQuery("/v1/topics/" + topic + "/ledger")
            .with("shard", shard)
            .with("from", first)
            .with("limit", PAGE)
            .toString());
  }
}
