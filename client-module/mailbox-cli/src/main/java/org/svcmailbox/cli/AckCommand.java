package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Acknowledges messages, which deletes them. */
@Command(name = "ack", description = "Acknowledges messages, which deletes them.")
final class AckCommand extends SettleCommand {
  @Override
  void complete(ObjectNode element) {}

  @Override
  List<Optional<RuntimeException>> settle(HttpService calls, List<ObjectNode> elements) {
    return calls.acknowledge(elements);
  }
}
