package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the public parts of a capability. */
@Command(
    name = "inspect",
    description = "Prints what a capability allows, without the service and without the token.")
final class CapInspectCommand extends CliCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The file with the capability, - for standard input; by default the configured.")
  private @Nullable Path file;

  @Override
  ExitCode run(JsonOutput out) {
    Capability capability = TokenFiles.read(file, surroundings());
    ObjectNode described = TokenFiles.describe(capability);
    ArrayNode unknown = described.putArray("unknown_caveats");
    capability.caveats().stream().filter(text -> !Caveat.isKnown(text)).forEach(unknown::add);
    out.line(described);
    return ExitCode.DONE;
  }
}
