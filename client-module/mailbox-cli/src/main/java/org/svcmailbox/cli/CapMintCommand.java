package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Has the service mint a capability with a nonce of its own. */
@Command(name = "mint", description = "Mints a capability that can be revoked apart; needs admin.")
final class CapMintCommand extends CliCommand {
  @Mixin private ServiceOptions service;
  @Mixin private CaveatOptions options;

  @Option(
      names = "--expires-in",
      paramLabel = "DURATION",
      required = true,
      description = "When it ends, from now.")
  private Duration life;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "The holder's name in audit, jobs and histories.")
  private @Nullable String note;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the token to a new file that only you can read; else it is printed.")
  private @Nullable Path target;

  @Override
  ExitCode run(JsonOutput out) {
    ObjectNode order = JsonOutput.object().put("expires_in", life.toString());
    List<String> caveats = options.caveats().stream().map(Caveat::text).toList();
    order.set("caveats", JsonOutput.json(caveats));
    if (note != null) {
      order.put("note", note);
    }
    if (target != null && Files.exists(target)) {
      throw new UsageException(target + " is there already");
    }
    try (HttpService calls = service.service(surroundings())) {
      JsonNode minted = calls.post("/v1/capabilities", order);
      ObjectNode printed = minted.deepCopy();
      printed.remove("capability");
      TokenFiles.hand(minted.path("capability").asText(), target, printed);
      out.line(printed);
      return ExitCode.DONE;
    }
  }
}
