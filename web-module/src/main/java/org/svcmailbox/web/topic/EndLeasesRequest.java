package org.svcmailbox.web.topic;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.capability.Nonces;
import org.svcmailbox.web.json.JsonRequest;
import org.svcmailbox.web.json.MessageIds;
import org.svcmailbox.web.json.OperatorNote;

/** The JSON body that ends leases: of one holder, of some messages, or all. */
record EndLeasesRequest(
    @Nullable String holder,
    @Nullable List<@Nullable String> msgIds,
    @Nullable Boolean all,
    @Nullable String note)
    implements JsonRequest {

  /** The checked request. */
  record EndLeases(LeaseSelection which, String note) {}

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  EndLeases checked() {
    FieldChecks checks = new FieldChecks();
    String nonce = checks.optional(holder, text -> Nonces.checked("holder", text));
    var messages =
        checks.optional(msgIds, ids -> MessageIds.checked(ids, HoldingService.MOST_LEASES));
    if (all != null && !all) {
      checks.add(new SchemaException("all", "must be true or absent"));
    }
    if (Stream.of(holder, msgIds, all).filter(given -> given != null).count() != 1) {
      checks.add(
          new SchemaException("holder", "is required without msg_ids and all, and must be alone"));
    }
    String why = checks.required("note", note, OperatorNote::checked);
    return checks.end(
        () -> {
          LeaseSelection which =
              messages != null
                  ? LeaseSelection.of(new HashSet<>(messages))
                  : nonce != null ? LeaseSelection.of(nonce) : LeaseSelection.ALL;
          return new EndLeases(which, requireNonNull(why));
        });
  }
}
