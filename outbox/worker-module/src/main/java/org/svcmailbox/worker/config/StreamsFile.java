package org.svcmailbox.worker.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.http.ServiceUri;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.route.SubjectFilter;

/** Reads {@code streams.toml}. */
final class StreamsFile {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,255}");
  private static final SubjectFilter ANY = new SubjectFilter(">");
  private static final long MAX_BYTES = 1L << 50;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration YEAR = Duration.ofDays(365);

  /** The longest time for which leases are extended. */
  private static final Duration LONGEST_HANDLER = Duration.ofMinutes(20);

  private final Path path;
  private final Section file;
  private final Violations violations;

  /**
   * @param path the file; other files that it names are in the same directory
   */
  StreamsFile(Path path, Section file, Violations violations) {
    this.path = path;
    this.file = file;
    this.violations = violations;
  }

  Streams read() {
    List<StreamSettings> streams = file.sections("stream").stream().map(this::stream).toList();
    requireDistinct("stream names", streams, StreamSettings::name);
    List<ConsumerSettings> consumers =
        file.sections("consumer").stream().map(section -> consumer(section, streams)).toList();
    requireDistinct("durables", consumers, ConsumerSettings::durable);
    file.finish();
    return new Streams(streams, consumers);
  }

  private StreamSettings stream(Section section) {
    String name = section.required("name");
    violations.require(
        name.isEmpty() || NAME.matcher(name).matches(),
        section.name("name"),
        "is letters, digits, _ and -");
    List<SubjectFilter> subjects = new ArrayList<>();
    for (String subject : section.list("subjects")) {
      subjects.add(filter(section, "subjects", subject));
    }
    violations.require(!subjects.isEmpty(), section.name("subjects"), "is missing");
    String unused = section.word("retention", "limits") + section.word("storage", "file");
    int replicas = section.integer("replicas", 1, 1, 5);
    violations.require(
        replicas == 1, section.name("replicas"), "is 1: the service runs on a single node");
    StreamSettings stream =
        new StreamSettings(
            name,
            subjects,
            section.duration("max_age", Duration.ofDays(7), SECOND, YEAR),
            section.bytes("max_bytes", MAX_BYTES),
            section.duration("dead_letter_age", Duration.ofDays(14), SECOND, YEAR));
    section.finish();
    return stream;
  }

  private ConsumerSettings consumer(Section section, List<StreamSettings> streams) {
    StreamSettings stream = streamOf(section, streams);
    String durable = section.required("durable");
    violations.require(
        durable.isEmpty() || MailboxNames.isValid(durable),
        section.name("durable"),
        "is no name of a topic: 1 to 255 of A-Z a-z 0-9 . _ -");
    SubjectFilter filter = filter(section, "filter_subject", section.required("filter_subject"));
    violations.require(
        stream.subjects().isEmpty() || stream.subjects().stream().anyMatch(filter::overlaps),
        section.name("filter_subject"),
        "matches no subject of stream " + stream.name());
    String unused = section.word("ack_policy", "explicit");
    @Nullable URI handler = section.http("handler");
    ConsumerSettings consumer =
        new ConsumerSettings(
            stream,
            durable,
            filter,
            section.duration("ack_wait", Duration.ofSeconds(120), SECOND, HOUR),
            section.integer("max_deliver", 20, 1, 1_000),
            section.integer("max_ack_pending", 50, 1, 1_000_000),
            section.flag("ordered", false),
            handler,
            section.duration("handler_timeout", Duration.ofSeconds(100), SECOND, LONGEST_HANDLER),
            tokenFile(section, handler));
    section.finish();
    return consumer;
  }

  private @Nullable Path tokenFile(Section section, @Nullable URI handler) {
    @Nullable String name = section.text("handler_token_file");
    if (name == null) {
      return null;
    }
    violations.require(
        handler == null || ServiceUri.isPrivate(handler),
        section.name("handler"),
        "shows the token to the network: use https");
    return path.resolveSibling(name);
  }

  private StreamSettings streamOf(Section section, List<StreamSettings> streams) {
    String name = section.required("stream");
    for (StreamSettings stream : streams) {
      if (stream.name().equals(name)) {
        return stream;
      }
    }
    violations.require(name.isEmpty(), section.name("stream"), "is no stream: " + name);
    return new StreamSettings(name, List.of(), YEAR, null, YEAR);
  }

  private SubjectFilter filter(Section section, String key, String value) {
    try {
      return value.isEmpty() ? ANY : new SubjectFilter(value);
    } catch (OutboxException e) {
      violations.add(section.name(key), "is wrong: " + e.getMessage());
      return ANY;
    }
  }

  private <T> void requireDistinct(String what, List<T> elements, Function<T, String> name) {
    Set<String> seen = new HashSet<>();
    for (T element : elements) {
      violations.require(seen.add(name.apply(element)), what, "repeat: " + name.apply(element));
    }
  }
}
