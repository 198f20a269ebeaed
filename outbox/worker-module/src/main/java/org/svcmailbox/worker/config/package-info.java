/**
 * Settings from {@code worker.toml}, {@code streams.toml} and the environment. A file is read as a
 * whole: all that is wrong is told at once, and nothing starts before it is right.
 */
@NullMarked
package org.svcmailbox.worker.config;

import org.jspecify.annotations.NullMarked;
