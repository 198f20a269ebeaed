package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes settings of a topic and keeps the others. */
@Command(name = "change", description = "Changes settings of a topic. The others stay as they are.")
final class TopicChangeCommand extends TopicSettingsCall {
  @Option(
      names = "--if-version",
      paramLabel = "VERSION",
      description = "Only if the settings have this version, which topics TOPIC prints.")
  private @Nullable String version;

  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    if (givesNothing()) {
      throw new UsageException("nothing to change: give NAME=VALUE");
    }
    String call = new PathQuery(path()).with("reset", reset()).toString();
    JsonNode changed =
        version == null ? calls.patch(call, values()) : calls.patch(call, values(), version);
    out.line(TopicShape.of(changed));
    return ExitCode.DONE;
  }
}
