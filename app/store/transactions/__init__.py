"""What happens inside one write transaction: functions that the aggregates of the store call."""
