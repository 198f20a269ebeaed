package org.svcmailbox.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.svcmailbox.bench.MailboxContestant.Form;

/** All contestants, by the names that the option has for them. */
final class Contestants {
  /** Those that take part unless others are named. */
  static final String DEFAULT =
      "mailbox,mailbox-postgresql,mailbox-octet,elasticmq-memory,elasticmq-file,artemis,postgresql,servlet";

  private static final Map<String, Function<Options, Contestant>> ALL = all();

  private Contestants() {}

  /**
   * Asks whether all of them are known.
   *
   * @throws IllegalArgumentException naming one that is not
   */
  static void check(List<String> names) {
    names.forEach(Contestants::named);
  }

  /** Those that were chosen, none of them started. */
  static List<Contestant> of(Options options) {
    return options.selection().contestants().stream()
        .map(name -> named(name).apply(options))
        .toList();
  }

  private static Function<Options, Contestant> named(String name) {
    Function<Options, Contestant> contestant = ALL.get(name);
    if (contestant == null) {
      throw new IllegalArgumentException(
          "--contestants are " + String.join(", ", ALL.keySet()) + ", not " + name);
    }
    return contestant;
  }

  private static Map<String, Function<Options, Contestant>> all() {
    Map<String, Function<Options, Contestant>> all = new LinkedHashMap<>();
    for (Form form : Form.values()) {
      all.put(form.key(), options -> new MailboxContestant(form, options.home(), options.work()));
    }
    all.put("elasticmq-memory", options -> new ElasticMqContestant(false, options.work()));
    all.put("elasticmq-file", options -> new ElasticMqContestant(true, options.work()));
    all.put("artemis", options -> new ArtemisContestant());
    all.put("postgresql", options -> new PostgresContestant());
    all.put("servlet", options -> new ServletContestant(options.work()));
    return all;
  }

  /** Where the data of one goes. */
  static Path data(Options options, Contestant contestant) {
    return options.work().resolve("data").resolve(contestant.name());
  }
}
