package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints jobs over dead letters, follows one, or pauses, resumes or cancels it. */
@Command(
    name = "jobs",
    description = "Prints jobs over dead letters, newest first; or one, which can be changed.")
final class DlqJobsCommand extends CliCommand {
  private static final int MAX = 100;

  @Mixin private ServiceOptions service;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB_ID",
      converter = Values.JobId.class,
      description = "One job.")
  private @Nullable String jobId;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      converter = Values.Topic.class,
      description = "Jobs of this topic only.")
  private @Nullable String topic;

  @Option(
      names = "-n",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "How many, up to 100; by default 50.")
  private int number = 50;

  @Option(names = "--pause", description = "Have it move nothing for now.")
  private boolean pause;

  @Option(names = "--resume", description = "Have it go on.")
  private boolean resume;

  @Option(names = "--cancel", description = "End it; what it has moved stays moved.")
  private boolean cancel;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "Letters a second, at most, from now on.")
  private @Nullable Integer rate;

  @Option(
      names = "--wait",
      description = "Follow it to its end, or to its pause after the first letters.")
  private boolean wait;

  @Override
  ExitCode run(JsonOutput out) throws Exception {
    List<String> verbs =
        Stream.of(
                pause ? "pause" : "",
                resume ? "resume" : "",
                cancel ? "cancel" : "",
                rate != null ? "rate" : "")
            .filter(verb -> !verb.isEmpty())
            .toList();
    if (verbs.size() > 1 || number > MAX) {
      throw new UsageException(
          "--pause, --resume, --cancel and --rate exclude each other; -n is at most 100");
    }
    try (HttpService calls = service.service(surroundings())) {
      if (jobId == null) {
        if (!verbs.isEmpty() || wait) {
          throw new UsageException("JOB_ID is needed");
        }
        list(calls, out);
        return ExitCode.DONE;
      }
      String path = "/v1/jobs/" + jobId;
      var job = verbs.isEmpty() ? calls.get(path) : change(calls, path + "/" + verbs.get(0));
      if (wait) {
        JobWatch watch = new JobWatch(calls, console(), out);
        return interrupts().tidily(() -> watch.follow(job));
      }
      out.line(job);
      return ExitCode.DONE;
    }
  }

  private JsonNode change(HttpService calls, String path) {
    return rate == null
        ? calls.post(path)
        : calls.post(path, JsonOutput.object().put("rate_per_s", rate));
  }

  private void list(HttpService calls, JsonOutput out) {
    PathQuery query = new PathQuery("/v1/jobs").with("topic", topic).with("limit", number);
    calls.get(query.toString()).path("jobs").forEach(out::line);
  }
}
