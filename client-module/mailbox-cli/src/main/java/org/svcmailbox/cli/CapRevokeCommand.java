package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Revokes a capability and all that was narrowed from it, or all that a root key minted. */
@Command(
    name = "revoke",
    description = "Revokes a capability with all that was narrowed from it; needs admin.")
final class CapRevokeCommand extends CliCommand {
  @Mixin private ServiceOptions service;

  @ArgGroup(multiplicity = "1")
  private Target target;

  @Option(
      names = "--release-leases",
      description = "Also ends the leases that were taken with it; their messages are ready again.")
  private boolean releaseLeases;

  /** The target; exactly one option is given. */
  static final class Target {
    @Parameters(
        index = "0",
        paramLabel = "FILE",
        description = "The file with the capability, - for standard input.")
    private @Nullable Path file;

    @Option(names = "--nonce", paramLabel = "HEX", description = "The capability's nonce.")
    private @Nullable String nonce;

    @Option(names = "--key-id", paramLabel = "ID", description = "All that this root key minted.")
    private @Nullable String keyId;
  }

  @Override
  ExitCode run(JsonOutput out) {
    ObjectNode order = JsonOutput.object();
    if (target.keyId != null) {
      order.put("key_id", target.keyId);
    } else {
      // By its nonce, so that a token to be revoked is not transmitted once more.
      order.put("nonce", target.nonce != null ? target.nonce : nonce(target.file));
    }
    if (releaseLeases) {
      order.put("release_leases", true);
    }
    try (HttpService calls = service.service(surroundings())) {
      out.line(((ObjectNode) calls.post("/v1/capabilities/revoke", order)).setAll(order));
      return ExitCode.DONE;
    }
  }

  private String nonce(@Nullable Path file) {
    return TokenFiles.read(file, surroundings()).nonce();
  }
}
