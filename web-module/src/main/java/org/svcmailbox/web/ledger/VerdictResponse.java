package org.svcmailbox.web.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.ledger.LedgerVerdict.BrokenAt;
import org.svcmailbox.core.ledger.LedgerVerdict.Intact;

/** The result of a verification; exactly one field is set. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record VerdictResponse(@Nullable Long intactUpTo, @Nullable Long brokenAt) {
  static VerdictResponse of(LedgerVerdict verdict) {
    if (verdict instanceof Intact intact) {
      return new VerdictResponse(intact.upTo(), null);
    }
    if (verdict instanceof BrokenAt broken) {
      return new VerdictResponse(null, broken.seq());
    }
    throw new IllegalStateException("Unhandled verdict " + verdict.getClass().getName());
  }
}
