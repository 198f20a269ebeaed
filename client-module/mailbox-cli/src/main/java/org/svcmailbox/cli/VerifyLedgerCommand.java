package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.verify.ExportedEntry;
import org.svcmailbox.client.verify.LedgerAnchor;
import org.svcmailbox.client.verify.LedgerCheck;
import org.svcmailbox.client.verify.LedgerVerifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks that every entry of an exported ledger follows from the one before. */
@Command(
    name = "ledger",
    description = "Checks an exported ledger.",
    footer = {
      "",
      "Without an anchor, a ledger that was rewritten as a whole looks intact. The",
      "result has an anchor to keep for the next time."
    })
final class VerifyLedgerCommand extends CliCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "JSON lines; by default, standard input.")
  private Path file;

  @Option(
      names = "--anchor",
      paramLabel = "SEQ:LINK",
      description = "A link that is known from elsewhere.")
  private List<String> anchors = new ArrayList<>();

  @Override
  ExitCode run(JsonOutput out) throws IOException {
    LedgerVerifier verifier = verifier();
    try (InputStream in = Input.open(file, surroundings())) {
      LineSource lines = new LineSource(in);
      ExportedEntry last = null;
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (line.length > 0) {
          try {
            last = entry(JsonOutput.parse(line));
          } catch (IOException e) {
            return broken("line " + lines.number() + ": " + e.getMessage(), last, out);
          }
          if (!verifier.accept(last)) {
            break;
          }
        }
      }
      return tell(verifier.verdict(), last, out);
    }
  }

  private LedgerVerifier verifier() {
    try {
      return new LedgerVerifier(anchors.stream().map(LedgerAnchor::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static ExportedEntry entry(JsonNode line) throws IOException {
    if (!line.path("seq").isIntegralNumber() || !line.path("seq").canConvertToLong()) {
      throw new IOException("it has no seq");
    }
    return new ExportedEntry(
        line.path("seq").longValue(),
        text(line, "msg_id"),
        text(line, "hash_chain"),
        text(line, "link"));
  }

  private static String text(JsonNode line, String field) throws IOException {
    String text = line.path(field).textValue();
    if (text == null) {
      throw new IOException("it has no " + field);
    }
    return text;
  }

  private static ExitCode broken(String why, @Nullable ExportedEntry before, JsonOutput out) {
    ObjectNode result = JsonOutput.object().put("intact", false);
    out.line(result.put("broken_at", before == null ? 1 : before.seq() + 1).put("why", why));
    return ExitCode.NOT_VERIFIED;
  }

  private static ExitCode tell(LedgerCheck verdict, @Nullable ExportedEntry last, JsonOutput out) {
    ObjectNode result = JsonOutput.object();
    if (verdict instanceof LedgerCheck.BrokenAt broken) {
      out.line(result.put("intact", false).put("broken_at", broken.seq()).put("why", broken.why()));
      return ExitCode.NOT_VERIFIED;
    }
    LedgerCheck.Intact intact = (LedgerCheck.Intact) verdict;
    if (last == null) {
      return ExitCode.NOTHING;
    }
    out.line(
        result
            .put("intact", true)
            .put("first", intact.first())
            .put("last", intact.last())
            .put("anchored", intact.anchored())
            .put("anchor", new LedgerAnchor(last.seq(), last.link()).toString()));
    return ExitCode.DONE;
  }
}
