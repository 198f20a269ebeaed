package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

class LetterCheckTest {
  private static final Topic TOPIC = SampleShard.topic(7, SampleLetters.ORDERS.value());
  private static final ShardId SHARD = TOPIC.shard(1);
  private static final Instant NOW = SampleLetters.NOW;

  /** Five messages, a second apart. */
  private final List<StoredMessage> sent =
      LongStream.rangeClosed(1, 5)
          .mapToObj(seq -> SampleMessages.message(SHARD, seq, NOW.plusSeconds(seq)))
          .toList();

  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final LetterCheck check =
      new LetterCheck(new StoredLedgers(new SendRegistry(store, System::nanoTime)));

  /** The ledger as it would be. */
  private List<LedgerEntry> ledger() {
    List<LedgerEntry> entries = new ArrayList<>();
    LedgerHead head = LedgerHead.EMPTY;
    for (StoredMessage message : sent) {
      Envelope envelope = message.envelope();
      LedgerEntry entry = head.append(envelope.msgId(), envelope.hashChain());
      entries.add(entry);
      head = LedgerHead.after(entry);
    }
    return entries;
  }

  private void write(List<LedgerEntry> entries) {
    long batch = 0;
    for (LedgerEntry entry : entries) {
      SampleBatch.write(store, SampleBatch.of(0, ++batch, List.of(row(entry))));
    }
  }

  private static Row row(LedgerEntry entry) {
    Reservation reservation =
        new Reservation(entry.msgId(), entry.hashChain(), NOW.plus(Duration.ofHours(1)));
    return new Row(
        SampleShard.key(TOPIC.id(), "k" + entry.seq()),
        reservation,
        TOPIC.id(),
        SHARD.index(),
        entry);
  }

  /** The ledger with one entry made another. */
  private static List<LedgerEntry> with(
      List<LedgerEntry> ledger, int index, UnaryOperator<LedgerEntry> change) {
    List<LedgerEntry> changed = new ArrayList<>(ledger);
    changed.set(index, change.apply(changed.get(index)));
    return changed;
  }

  private Evidence of(int index) {
    return of(sent.get(index));
  }

  private Evidence of(StoredMessage message) {
    return check.of(
        TOPIC, content(message.envelope().msgId(), message.envelope(), message.payload()));
  }

  private Evidence of(Envelope envelope) {
    return check.of(TOPIC, content(envelope.msgId(), envelope, sent.get(2).payload()));
  }

  private static LetterContent content(MsgId id, @Nullable Envelope envelope, Payload payload) {
    DeadLetter letter =
        new DeadLetter(
            new LetterPosition(5),
            TOPIC.name(),
            0,
            id,
            DeadLetterReason.MAX_ATTEMPTS,
            3,
            "no",
            0,
            null,
            payload.size(),
            envelope);
    return new LetterContent(letter, payload, MessageHistory.NONE, NOW, null, null);
  }

  @Test
  void whatWasSentIsIntact() {
    write(ledger());
    for (int i = 0; i < sent.size(); i++) {
      assertEquals(Evidence.INTACT, of(i), "entry " + (i + 1));
    }
  }

  @Test
  void whatWasDeliveredSeveralTimesIsIntact() {
    write(ledger());
    assertEquals(Evidence.INTACT, of(sent.get(2).envelope().withAttempt(4)));
  }

  @Test
  void aPayloadThatChangedIsAltered() {
    write(ledger());
    Envelope envelope = sent.get(2).envelope();
    Payload other = Payload.owning(new byte[] {1});
    assertEquals(Evidence.ALTERED, check.of(TOPIC, content(envelope.msgId(), envelope, other)));
  }

  @Test
  void aFieldThatChangedIsAltered() {
    write(ledger());
    Envelope is = sent.get(2).envelope();
    Attributes red = new Attributes(Map.of("colour", "red"));
    IdemKey other = new IdemKey("other");
    TopicName refunds = SampleLetters.REFUNDS;
    MsgId another = sent.get(3).envelope().msgId();
    Digest hash = Payload.owning(new byte[0]).hash();
    for (Envelope changed :
        List.of(
            envelope(is, is.msgId(), is.topic(), is.idemKey(), red, is.hashChain()),
            envelope(is, is.msgId(), is.topic(), other, is.attrs(), is.hashChain()),
            envelope(is, is.msgId(), refunds, is.idemKey(), is.attrs(), is.hashChain()),
            envelope(is, is.msgId(), is.topic(), is.idemKey(), is.attrs(), hash),
            envelope(is, another, is.topic(), is.idemKey(), is.attrs(), is.hashChain()),
            is.withSeq(2),
            is.withSeq(4))) {
      assertEquals(Evidence.ALTERED, of(changed), changed.toString());
    }
    assertEquals(Evidence.ALTERED, check.of(TOPIC, content(another, is, sent.get(2).payload())));
  }

  /** An attacker can compute a new hash chain, but the ledger has the old one. */
  @Test
  void aFieldThatChangedWithItsHashIsAltered() {
    write(ledger());
    Envelope is = sent.get(2).envelope();
    IdemKey other = new IdemKey("other");
    Digest chain = HashChain.of(is.topic(), is.ts(), other, is.payloadHash(), is.attrs());
    assertEquals(
        Evidence.ALTERED, of(envelope(is, is.msgId(), is.topic(), other, is.attrs(), chain)));
  }

  private static Envelope envelope(
      Envelope is, MsgId id, TopicName topic, IdemKey key, Attributes attrs, Digest hashChain) {
    return new Envelope(
        id,
        topic,
        is.ts(),
        key,
        is.payloadHash(),
        attrs,
        is.corrId(),
        is.shard(),
        is.seq(),
        is.attempt(),
        hashChain,
        is.sig());
  }

  @Test
  void anEntryThatChangedIsAltered() {
    Digest other = Payload.owning(new byte[] {9}).hash();
    write(with(ledger(), 2, is -> new LedgerEntry(is.seq(), is.msgId(), other, is.link())));
    assertEquals(Evidence.ALTERED, of(2));
    assertEquals(Evidence.INTACT, of(1));
    assertEquals(Evidence.INTACT, of(3));
  }

  /** Entry and letter say the same; the link does not. */
  @Test
  void anEntryThatChangedTogetherWithTheLetterIsAltered() {
    Envelope is = sent.get(2).envelope();
    IdemKey key = new IdemKey("other");
    Digest chain = HashChain.of(is.topic(), is.ts(), key, is.payloadHash(), is.attrs());
    write(with(ledger(), 2, entry -> new LedgerEntry(3, entry.msgId(), chain, entry.link())));
    assertEquals(
        Evidence.ALTERED, of(envelope(is, is.msgId(), is.topic(), key, is.attrs(), chain)));
  }

  @Test
  void anEntryWithoutTheOneBeforeItIsAltered() {
    List<LedgerEntry> ledger = ledger();
    ledger.remove(1);
    write(ledger);
    assertEquals(Evidence.ALTERED, of(2));
    assertEquals(Evidence.INTACT, of(3));
  }

  @Test
  void anEntryThatIsGoneFromTheMiddleIsNotFound() {
    List<LedgerEntry> ledger = ledger();
    ledger.remove(2);
    write(ledger);
    assertEquals(Evidence.NOT_FOUND, of(2));
    assertEquals(Evidence.INTACT, of(1));
  }

  @Test
  void twoEntriesThatAreGoneAreNotFound() {
    List<LedgerEntry> ledger = ledger();
    ledger.subList(1, 3).clear();
    write(ledger);
    assertEquals(Evidence.NOT_FOUND, of(1));
    assertEquals(Evidence.NOT_FOUND, of(2));
  }

  @Test
  void whatIsOlderThanTheLedgerIsTrimmed() {
    write(ledger());
    store.trimLedger(new LedgerId(TOPIC.id(), SHARD.index()), NOW.plusSeconds(3), 10);
    assertEquals(
        List.of(
            Evidence.TRIMMED, Evidence.TRIMMED, Evidence.INTACT, Evidence.INTACT, Evidence.INTACT),
        List.of(of(0), of(1), of(2), of(3), of(4)));
  }

  /** That the ledger does not have it makes no letter good whose fields do not fit. */
  @Test
  void whatIsAlteredIsSoAlsoWithoutItsEntry() {
    write(ledger());
    store.trimLedger(new LedgerId(TOPIC.id(), SHARD.index()), NOW.plusSeconds(5), 10);
    Envelope is = sent.get(2).envelope();
    assertEquals(
        Evidence.ALTERED,
        of(envelope(is, is.msgId(), is.topic(), new IdemKey("x"), is.attrs(), is.hashChain())));
  }

  @Test
  void aLedgerThatEndsBeforeTheLetterSaysNothing() {
    write(ledger().subList(0, 2));
    assertEquals(
        List.of(Evidence.INTACT, Evidence.UNKNOWN, Evidence.UNKNOWN), List.of(of(1), of(2), of(4)));
  }

  @Test
  void aLedgerWithoutEntriesSaysNothing() {
    assertEquals(Evidence.UNKNOWN, of(0));
  }

  @Test
  void aTopicThatWasMadeAnewSaysNothingAboutEarlierLetters() {
    write(ledger());
    StoredMessage earlier = SampleMessages.message(SHARD, 2, NOW);
    StoredMessage later = SampleMessages.message(SHARD, 2, NOW.plusSeconds(1));
    assertEquals(Evidence.UNKNOWN, of(earlier));
    assertEquals(Evidence.ALTERED, of(later));
  }

  @Test
  void whatCannotBeReadIsUnknown() {
    write(ledger());
    Payload payload = sent.get(2).payload();
    assertEquals(Evidence.UNKNOWN, check.of(TOPIC, content(new MsgId(1, 1), null, payload)));
    assertEquals(Evidence.UNKNOWN, of(sent.get(2).envelope().withSeq(0)));
  }
}
