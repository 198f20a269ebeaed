package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Settles messages: the one that the arguments name, or those whose lines are on the input. */
abstract class SettleCommand extends CliCommand {
  @Mixin private ServiceOptions service;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MSG_ID",
      converter = Values.MessageId.class,
      description = "The message; by default, those whose lines are on standard input.")
  private @Nullable String messageId;

  @Option(
      names = "--receipt",
      paramLabel = "RECEIPT",
      description = "The delivery; by default the current one, also of another receiver.")
  private @Nullable String receipt;

  /** Checks the options and adds their values to the element of a batch. */
  abstract void complete(ObjectNode element);

  /** Makes the call for up to 100 elements. */
  abstract List<Optional<RuntimeException>> settle(HttpService calls, List<ObjectNode> elements);

  @Override
  final ExitCode run(JsonOutput out) throws IOException {
    complete(JsonOutput.object());
    CombinedExit outcomes = new CombinedExit();
    try (HttpService calls = service.service(surroundings())) {
      if (messageId != null) {
        settle(calls, List.of(element(messageId, receipt)), outcomes, out);
      } else if (receipt != null) {
        throw new UsageException("--receipt needs MSG_ID");
      } else {
        settleLines(calls, outcomes, out);
      }
    }
    return outcomes.together();
  }

  private void settleLines(HttpService calls, CombinedExit outcomes, JsonOutput out)
      throws IOException {
    try (InputStream in = Input.open(Path.of("-"), surroundings())) {
      LineSource lines = new LineSource(in);
      List<ObjectNode> batch = new ArrayList<>();
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (line.length > 0) {
          batch.add(parsed(line, lines.number()));
        }
        if (batch.size() == HttpService.MAX_BATCH || !lines.isReady()) {
          settle(calls, batch, outcomes, out);
          batch.clear();
        }
      }
      settle(calls, batch, outcomes, out);
    }
  }

  private ObjectNode parsed(byte[] line, long number) {
    try {
      ObjectNode message = JsonOutput.parse(line);
      if (message.path("msg_id").isTextual()) {
        return element(message.path("msg_id").textValue(), message.path("receipt").textValue());
      }
      throw new UsageException("line " + number + " has no msg_id");
    } catch (IOException e) {
      throw new UsageException("line " + number + ": " + e.getMessage(), e);
    }
  }

  private ObjectNode element(String id, @Nullable String withReceipt) {
    ObjectNode element = JsonOutput.object().put("msg_id", id);
    if (withReceipt != null) {
      element.put("receipt", withReceipt);
    }
    complete(element);
    return element;
  }

  private void settle(
      HttpService calls, List<ObjectNode> batch, CombinedExit outcomes, JsonOutput out) {
    if (batch.isEmpty()) {
      return;
    }
    List<Optional<RuntimeException>> failures = settle(calls, batch);
    for (int i = 0; i < batch.size(); i++) {
      Optional<RuntimeException> failure = failures.get(i);
      ObjectNode result =
          JsonOutput.object()
              .put("msg_id", batch.get(i).path("msg_id").asText())
              .put("ok", failure.isEmpty());
      failure.ifPresent(
          why -> result.put("error", Capability.withoutTokens(String.valueOf(why.getMessage()))));
      out.line(result);
      outcomes.add(failure.map(ExitCode::of).orElse(ExitCode.DONE));
    }
    out.flush();
  }
}
