package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Extends leases. */
@Command(name = "extend", description = "Sets the ends of leases, counted from now.")
final class ExtendCommand extends SettleCommand {
  @Option(
      names = "--visibility",
      paramLabel = "DURATION",
      required = true,
      description = "How long the leases last from now.")
  private Duration visibility;

  @Override
  void complete(ObjectNode element) {
    element.put("visibility_ms", visibility.toMillis());
  }

  @Override
  List<Optional<RuntimeException>> settle(HttpService calls, List<ObjectNode> elements) {
    return calls.extend(elements);
  }
}
