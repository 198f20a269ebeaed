package org.svcmailbox.core.ledger;

import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;

/**
 * One accepted message in its shard's ledger.
 *
 * @param seq its number in the ledger, from 1, without gaps
 * @param hashChain the message's own digest
 * @param link the digest over everything up to here
 */
public record LedgerEntry(long seq, MsgId msgId, Digest hashChain, Digest link) {
  private static final String DOMAIN = "mailbox.ledger.v1";

  /** The digest that continues {@code previous} with one message. */
  static Digest link(Digest previous, Digest hashChain, MsgId msgId) {
    return Blake3.domain(DOMAIN).digest(previous).digest(hashChain).text(msgId.toString()).finish();
  }
}
