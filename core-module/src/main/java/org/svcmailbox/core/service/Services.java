package org.svcmailbox.core.service;

import org.svcmailbox.core.cluster.ClusterService;
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.health.StatusTimes;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.history.HistoryService;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.core.topic.TopicAdmin;

/**
 * The services of one running mailbox. After its drain it refuses new work: {@link MailboxService}
 * answers with refusals.
 */
public interface Services {
  MailboxService mailbox();

  StreamService streams();

  TopicAdmin topics();

  TopicContents contents();

  HoldingService holdings();

  LedgerService ledgers();

  DeadLetterService letters();

  RedriveService redrives();

  Vitals vitals();

  StatusTimes statusTimes();

  StateService state();

  LookupService lookups();

  HistoryService history();

  ClusterService cluster();

  PeerService peers();

  PeerQuestions questions();
}
