package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks the digests of messages. */
@Command(
    name = "envelope",
    description = "Checks the digests of messages, as recv, peek and dlq show print them.")
final class VerifyEnvelopeCommand extends CliCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "JSON lines; by default, standard input.")
  private Path file;

  @Override
  ExitCode run(JsonOutput out) throws IOException {
    CombinedExit outcomes = new CombinedExit();
    try (InputStream in = Input.open(file, surroundings())) {
      LineSource lines = new LineSource(in);
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (line.length > 0) {
          ObjectNode result = JsonOutput.object().put("line", lines.number());
          Optional<String> fault = fault(line, result);
          out.line(result.put("intact", fault.isEmpty()).put("why", fault.orElse(null)));
          outcomes.add(fault.isEmpty() ? ExitCode.DONE : ExitCode.NOT_VERIFIED);
        }
      }
    }
    return outcomes.together();
  }

  private static Optional<String> fault(byte[] line, ObjectNode result) {
    try {
      JsonNode message = JsonOutput.parse(line);
      result.set("msg_id", message.path("msg_id"));
      return Envelopes.mismatch(message);
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
