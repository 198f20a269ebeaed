package org.svcmailbox.core.worker.state;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Dependencies that all parts of a worker share.
 *
 * @param completer runs callers' continuations
 */
public record WorkerPorts(
    Limits limits,
    Broker broker,
    TopicDirectory topics,
    Ticker ticker,
    InstantSource wall,
    RandomGenerator random,
    Executor completer) {}
