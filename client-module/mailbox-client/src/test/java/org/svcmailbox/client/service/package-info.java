/** The decisions that every way to the service shares. */
@NullMarked
package org.svcmailbox.client.service;

import org.jspecify.annotations.NullMarked;
