package org.svcmailbox.client.verify;

/**
 * One entry of a shard's ledger, as the service exports it.
 *
 * @param seq its number, from 1
 * @param msgId the message
 * @param hashChain the message's own digest, as text
 * @param link the digest over the previous link and this entry, as text
 */
public record ExportedEntry(long seq, String msgId, String hashChain, String link) {
  /**
   * The link that this entry should have.
   *
   * @param previous the link before it, as text
   * @throws IllegalArgumentException if a digest is malformed
   */
  String expectedLink(String previous) {
    return new FramedDigest("mailbox.ledger.v1")
        .raw(FramedDigest.parse(previous))
        .raw(FramedDigest.parse(hashChain))
        .text(msgId)
        .finish();
  }
}
