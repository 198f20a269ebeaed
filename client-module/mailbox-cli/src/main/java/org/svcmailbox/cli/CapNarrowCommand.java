package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Derives a narrower capability from another one, without the service. */
@Command(
    name = "narrow",
    description = "Makes a narrower capability of another, without the service.")
final class CapNarrowCommand extends CliCommand {
  @Mixin private CaveatOptions options;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "The file with the capability, - for standard input; by default the configured.")
  private @Nullable Path file;

  @Option(names = "--expires-in", paramLabel = "DURATION", description = "When it ends, from now.")
  private @Nullable Duration life;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the token to a new file that only you can read; else it is printed.")
  private @Nullable Path target;

  @Override
  ExitCode run(JsonOutput out) {
    List<Caveat> caveats = new ArrayList<>(options.caveats());
    if (life != null) {
      caveats.add(CaveatOptions.expiresIn(life));
    }
    if (caveats.isEmpty()) {
      throw new UsageException("nothing to narrow by was given");
    }
    Capability narrowed = narrowed(caveats.toArray(Caveat[]::new));
    ObjectNode printed = TokenFiles.describe(narrowed);
    TokenFiles.hand(narrowed.token(), target, printed);
    out.line(printed);
    return ExitCode.DONE;
  }

  private Capability narrowed(Caveat... caveats) {
    Capability wide = TokenFiles.read(file, surroundings());
    try {
      return wide.narrow(caveats);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
