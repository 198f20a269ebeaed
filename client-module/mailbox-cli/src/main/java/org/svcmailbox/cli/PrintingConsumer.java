package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;

/**
 * Prints messages. If asked to, it acknowledges them once the operating system has their lines, so
 * that messages nobody will read are delivered again.
 */
final class PrintingConsumer implements RecvCommand.Consumer {
  private final HttpService calls;
  private final boolean acknowledges;
  private final Console console;
  private final JsonOutput out;

  PrintingConsumer(HttpService calls, boolean acknowledges, Console console, JsonOutput out) {
    this.calls = calls;
    this.acknowledges = acknowledges;
    this.console = console;
    this.out = out;
  }

  @Override
  public int atOnce() {
    return HttpService.MAX_BATCH;
  }

  @Override
  public void consume(List<JsonNode> messages, CombinedExit outcomes) throws InterruptedException {
    if (messages.isEmpty()) {
      return;
    }
    List<ObjectNode> receipts = messages.stream().map(Envelopes::receipt).toList();
    BrokenOutputException broken = print(messages);
    // Makes these calls even if the thread was interrupted.
    boolean hurried = Thread.interrupted();
    if (broken != null) {
      giveBack(receipts);
      throw broken;
    }
    if (acknowledges) {
      tell(receipts, calls.acknowledge(receipts), outcomes);
    } else {
      outcomes.add(ExitCode.DONE);
    }
    if (hurried) {
      throw new InterruptedException();
    }
  }

  private @Nullable BrokenOutputException print(List<JsonNode> messages) {
    try {
      messages.forEach(out::line);
      out.flush();
      return null;
    } catch (BrokenOutputException e) {
      return e;
    }
  }

  private void giveBack(List<ObjectNode> receipts) {
    List<ObjectNode> nacks =
        receipts.stream()
            .map(receipt -> receipt.deepCopy().put("delay_ms", 0))
            .map(nack -> nack.put("reason", "the receiver's output was closed"))
            .toList();
    calls.nack(nacks);
  }

  private void tell(
      List<ObjectNode> receipts, List<Optional<RuntimeException>> failures, CombinedExit outcomes) {
    for (int i = 0; i < failures.size(); i++) {
      Optional<RuntimeException> failure = failures.get(i);
      outcomes.add(failure.map(ExitCode::of).orElse(ExitCode.DONE));
      if (failure.isPresent()) {
        String id = receipts.get(i).path("msg_id").asText();
        console.note("message " + id + " is not acknowledged: " + failure.get().getMessage());
      }
    }
  }
}
